/** A small Nest application: two controllers, a service, a guard, a pipe, an interceptor, an exception filter, a middleware. */
import 'reflect-metadata';
import {
  type ArgumentMetadata,
  type ArgumentsHost,
  BadRequestException,
  Body,
  type CallHandler,
  type CanActivate,
  Catch,
  Controller,
  Delete,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  Header,
  HttpCode,
  Inject,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestInterceptor,
  type NestMiddleware,
  type NestModule,
  NotFoundException,
  Param,
  ParseIntPipe,
  type PipeTransform,
  Post,
  Query,
  Redirect,
  Req,
  Res,
  StreamableFile,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  FastifyAdapter,
  type NestFastifyApplication,
  RouteConfig,
  RouteSchema,
} from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { onTestFinished } from 'vitest';
import type { Flavor } from './flavors.ts';

interface Cat {
  id: number;
  name: string;
}

class CatMissing extends Error {}

@Injectable()
class CatService {
  readonly #cats: Cat[] = [{ id: 1, name: 'Tom' }];

  add(name: string): Cat {
    const cat = { id: this.#cats.length + 1, name };
    this.#cats.push(cat);
    return cat;
  }

  find(id: number): Cat {
    const cat = this.#cats.find((cat) => cat.id === id);
    if (cat === undefined) throw new CatMissing(`no cat ${id}`);
    return cat;
  }
}

@Injectable()
class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<FastifyRequest>().headers['x-key'] === 'secret';
  }
}

/** Names are trimmed, and must not be empty. */
@Injectable()
class NamePipe implements PipeTransform<{ name?: string }, { name: string }> {
  transform({ name }: { name?: string }, { type }: ArgumentMetadata): { name: string } {
    const trimmed = name?.trim();
    if (trimmed) return { name: trimmed };
    throw new BadRequestException(`${type} has no name`);
  }
}

@Injectable()
class EnvelopeInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<object> {
    return next.handle().pipe(map((data) => ({ data })));
  }
}

@Catch(CatMissing)
class CatMissingFilter implements ExceptionFilter {
  catch(error: CatMissing, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    reply.status(404).header('x-filter', 'cats').send({ missing: error.message });
  }
}

@Controller('cats')
@UseFilters(CatMissingFilter)
@UseInterceptors(EnvelopeInterceptor)
class CatController {
  readonly #cats: CatService;

  constructor(@Inject(CatService) cats: CatService) {
    this.#cats = cats;
  }

  @Get(':id')
  @Header('cache-control', 'no-store')
  find(@Param('id', ParseIntPipe) id: number): Cat {
    return this.#cats.find(id);
  }

  @Post()
  @UseGuards(KeyGuard)
  add(@Body(NamePipe) { name }: { name: string }): Cat {
    return this.#cats.add(name);
  }

  @Delete(':id')
  @HttpCode(204)
  remove(): void {}
}

@Controller()
class PlainController {
  @Get()
  greet(@Query('name') name = 'world'): string {
    return `hello ${name}`;
  }

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Buffer.from('streamed'), { type: 'text/plain', disposition: 'attachment' });
  }

  @Get('away')
  @Redirect('/elsewhere', 301)
  away(): void {}

  @Get('reply')
  reply(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.header('x-config', JSON.stringify(request.routeOptions.config)).send({ url: request.url });
  }

  @Get('config')
  @RouteConfig({ limit: 3 })
  @RouteSchema({ querystring: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } })
  config(@Req() request: FastifyRequest, @Query('n') n: number): object {
    return { limit: (request.routeOptions.config as { limit?: number }).limit, n };
  }

  @Get('missing')
  missing(): void {
    throw new NotFoundException('nothing here');
  }

  @Get('broken')
  broken(): void {
    throw new Error('not to be seen');
  }

  @Post('form')
  form(@Body() body: object): object {
    return body;
  }
}

/** Runs before routing; it refuses what comes from a foe, by an exception. */
@Injectable()
class FoeMiddleware implements NestMiddleware {
  use(request: FastifyRequest['raw'], response: FastifyReply['raw'], next: () => void): void {
    response.setHeader('x-middleware', 'ran');
    if (request.headers['x-foe'] !== undefined) throw new BadRequestException('no foes');
    next();
  }
}

@Module({ controllers: [CatController, PlainController], providers: [CatService] })
class AppModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(FoeMiddleware).forRoutes('cats/*path');
  }
}

export interface RunningNest {
  nest: NestFastifyApplication;
  origin: string;
}

/** Starts the application on a free port, and stops it when the test ends. */
export async function serveNest(
  create: Flavor['create'],
  prepare: (nest: NestFastifyApplication) => unknown = () => {},
): Promise<RunningNest> {
  const adapter = new FastifyAdapter(create() as never);
  const nest = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, { logger: false });
  onTestFinished(() => nest.close());
  await prepare(nest);
  await nest.listen(0, '127.0.0.1');
  return { nest, origin: await nest.getUrl() };
}
